/* words.js - elements and words, of this page and of that in src/web. */
'use strict';

const byId = (id) => document.getElementById(id);

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name.startsWith('on')) {
      element.addEventListener(name.slice(2), value);
    } else if (value !== null && value !== undefined && value !== false) {
      element.setAttribute(name, value === true ? '' : value);
    }
  }
  for (const child of children.flat()) {
    if (child !== null && child !== undefined) {
      element.append(child);
    }
  }
  return element;
}
const h = (name, attributes, ...children) =>
  fill(document.createElement(name), attributes, children);
const s = (name, attributes, ...children) =>
  fill(document.createElementNS('http://www.w3.org/2000/svg', name), attributes, children);

/* A whole number: "1,056". Intl.NumberFormat would say the same, but making one takes a page 13 to 35 ms as it
 * opens. */
function count(n) {
  return n > Number.MAX_SAFE_INTEGER ? '\u2248 ' + n.toExponential(3)
    : String(n).replace(/\B(?=(\d{3})+$)/g, ',');
}
const many = (n, one, more) => count(n) + ' ' + (n === 1 ? one : more || one + 's');

/* Numbers in order as ranges: "0-7, 16". */
function ranges(list) {
  const parts = [];
  for (let i = 0; i < list.length; i++) {
    let k = i;
    while (k + 1 < list.length && list[k + 1] === list[k] + 1) {
      k++;
    }
    parts.push(k > i + 1 ? list[i] + '\u2013' + list[k] : list[i]);
    i = k > i + 1 ? k : i;
  }
  return parts.join(', ');
}
const lanesText = (lanes) => (lanes.length === 1 ? 'lane ' : 'lanes ') + ranges(lanes);
