/* page.js - the report of a text, as one writes. */
'use strict';
(async () => {
  const byId = (id) => document.getElementById(id);
  const packed = Uint8Array.from(atob(byId('wasm').textContent.trim()), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  const worker = new Worker(URL.createObjectURL(new Blob([byId('engine').textContent])));
  worker.onmessage = ({ data }) => { byId('report').textContent = data[0].text; };
  worker.postMessage({ module: await new Response(stream).arrayBuffer() });
  byId('text').addEventListener('input', () =>
    worker.postMessage({ questions: [['check', 'text', 'text', byId('text').value]] }));
})();
