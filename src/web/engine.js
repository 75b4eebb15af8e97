/* engine.js - the library as JavaScript asks it: a list of words in, text out (answer.c has the words).
 * Runs in a worker of the page, and in node. */
'use strict';

function makeEngine(module) {
  const encoder = new TextEncoder();
  const decoder = new TextDecoder();
  /* The library writes to no file; what C's stdio is linked with is never called. */
  const none = () => 8;
  const imports = { wasi_snapshot_preview1: Object.fromEntries(WebAssembly.Module.imports(module)
    .map(({ name }) => [name, none])) };
  let library = null;

  function begin() {
    library = new WebAssembly.Instance(module, imports).exports;
    library._initialize();
  }

  /* {status: 0 or of enum bsim_status, text}. A view of its memory is made anew each time, since
   * that may have grown. What traps leaves an instance nobody can use: the next one asks another. */
  function ask(words) {
    if (!library) {
      begin();
    }
    try {
      const question = encoder.encode(words.map((word) => String(word).replaceAll('\0', ' ') + '\0')
        .join(''));
      const at = library.room(question.length);
      new Uint8Array(library.memory.buffer, at, question.length).set(question);
      const status = library.ask(question.length);
      const text = new Uint8Array(library.memory.buffer, library.answer(), library.answer_bytes());
      return { status, text: decoder.decode(text) };
    } catch (error) {
      library = null;
      return { status: -1, text: `banksim: the library stopped: ${error.message}\n` };
    }
  }
  return { ask };
}

/* In a worker: the module comes first, packed and in base64, then lists of questions. */
if (typeof WorkerGlobalScope !== 'undefined') {
  let engine;
  const unpack = (base64) => {
    const packed = atob(base64);
    const bytes = new Uint8Array(packed.length);
    for (let i = 0; i < packed.length; i++) {
      bytes[i] = packed.charCodeAt(i);
    }
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
    return new Response(stream).arrayBuffer();
  };
  self.onmessage = async ({ data }) => {
    if (data.module) {
      engine = unpack(data.module).then((bytes) => makeEngine(new WebAssembly.Module(bytes)));
    } else {
      const { ask } = await engine;
      self.postMessage(data.questions.map(ask));
    }
  };
}
