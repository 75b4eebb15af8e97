/* browser.mjs - the browser that BROWSER names, chromium or firefox, with the program of CHROMIUM or
 * FIREFOX. */
export async function launch() {
  const name = process.env.BROWSER ?? 'chromium';
  const { Browser } = await import(`./${name}.mjs`);
  return new Browser(process.env[name.toUpperCase()] ?? name);
}
