/* contrast.mjs - what of a page is hard to read: for a test to run in it. */

/* WCAG 2.1, success criterion 1.4.3. */
const LEAST = 4.5;

/* Runs in the page. Texts with less contrast to what lies behind them: that is the colour of the boxes they are
 * in, of text in a drawing of the shape below it. Left out is what cannot be used, and what lies behind
 * its own picture (a textarea whose text is drawn by another element). */
function findFaint(least) {
  /* [r, g, b, a] of "rgb(1, 2, 3)", "rgba(1, 2, 3, 0.4)" and "color(srgb 0.1 0.2 0.3 / 0.4)". */
  const read = (colour) => {
    const numbers = (colour.match(/[0-9.]+(e-?[0-9]+)?/g) || []).map(Number);
    const scale = colour.startsWith('color') ? 255 : 1;
    return colour === 'none' || colour === 'transparent' || numbers.length < 3 ? [0, 0, 0, 0]
      : [...numbers.slice(0, 3).map((n) => n * scale), numbers[3] ?? 1];
  };
  const over = ([r, g, b, a], below) => [r, g, b].map((n, i) => a * n + (1 - a) * below[i]);
  const light = (colour) => {
    const [r, g, b] = colour.map((v) => v / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (a, b) => {
    const [x, y] = [light(a), light(b)].sort((m, n) => n - m);
    return (x + 0.05) / (y + 0.05);
  };
  const groundOf = (element) => {
    const own = read(getComputedStyle(element).backgroundColor);
    const below = own[3] === 1 ? [0, 0, 0]
      : element.parentElement ? groundOf(element.parentElement) : [255, 255, 255];
    return over(own, below);
  };
  /* The shapes of a drawing, with their places, which are asked for once: there may be as many as texts. */
  const shapes = new Map();
  const shapesOf = (drawing) => {
    if (!shapes.has(drawing)) {
      shapes.set(drawing, [...drawing.querySelectorAll('rect')].map((rect) =>
        ({ rect, place: rect.getBoundingClientRect() })));
    }
    return shapes.get(drawing);
  };
  /* The last shape of the drawing that the text's middle lies in. */
  const shapeOf = (text) => {
    const box = text.getBoundingClientRect();
    const x = box.x + box.width / 2;
    const y = box.y + box.height / 2;
    return shapesOf(text.ownerSVGElement).filter(({ rect, place }) =>
      place.left <= x && x <= place.right && place.top <= y && y <= place.bottom
        && rect.compareDocumentPosition(text) & Node.DOCUMENT_POSITION_FOLLOWING).pop()?.rect;
  };
  const behind = (element) => {
    const ground = groundOf(element);
    const shape = element.ownerSVGElement ? shapeOf(element) : null;
    const style = shape && getComputedStyle(shape);
    const fill = shape ? read(style.fill) : null;
    return fill ? over([...fill.slice(0, 3), fill[3] * style.fillOpacity * style.opacity], ground) : ground;
  };
  const faint = new Map();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (walker.currentNode.textContent.trim() === '' || !element.checkVisibility({ visibilityProperty: true })
      || element.closest('script, style, textarea, noscript, .skip, :disabled, option')) {
      continue;
    }
    const style = getComputedStyle(element);
    const ground = behind(element);
    const ink = over(read(element.ownerSVGElement ? style.fill : style.color), ground);
    const n = contrast(ink, ground);
    if (n < least) {
      const name = `${element.tagName}.${element.getAttribute('class') || element.id}`;
      faint.set(name, `${name} "${walker.currentNode.textContent.trim().slice(0, 20)}" ${n.toFixed(1)}: `
        + `${ink.map(Math.round)} on ${ground.map(Math.round)}`);
    }
  }
  return [...faint.values()];
}

export const faint = `(${findFaint})(${LEAST})`;
