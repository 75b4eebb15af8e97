/* tried.mjs - what the program says of layouts that it tried in the kernel's file, which the page does not: lines on an access,
 * and what the best gives, behind what holds a launch up. */
export const HINT = /^ {4}(Write|Declare|No layout) .*$/gm;
export const GAIN = /; (with the best layout that was tried|no layout that was tried|without conflicts, index) .*$/gm;
