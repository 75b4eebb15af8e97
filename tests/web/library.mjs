/* library.mjs - the library that is in build/banksim.html, for node. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { runInThisContext } from 'node:vm';

/* What the element of that id holds. */
export function held(page, id) {
  return new RegExp(`id="${id}">([^]*?)</script>`).exec(page)[1];
}

/* id: of the element with the module. */
export function openLibrary(path, id = 'wasm') {
  const page = readFileSync(path, 'utf8');
  const wasm = gunzipSync(Buffer.from(held(page, id), 'base64'));
  const makeEngine = runInThisContext(`${held(page, 'engine')}; makeEngine`);
  return makeEngine(new WebAssembly.Module(wasm));
}
