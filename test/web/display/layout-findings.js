/**
 * The layout faults of the page from its top to its end, as a list of sentences; evaluated in the browser by
 * layout.test.ts. The boxes are
 * those of the glyphs of each text, of pictures and of controls, cut by the boxes that clip them; a text that is cut by
 * its own ellipsis is no fault.
 */
function findings() {
  const main = document.querySelector("main");
  const top = main.scrollTop;
  const found = new Set();
  // What a screen has at its edge is whole on the next one.
  const step = Math.max(1, main.clientHeight * 0.6);
  for (let at = 0; at === 0 || at < main.scrollHeight - main.clientHeight + step; at += step) {
    main.scrollTop = at;
    for (const one of findingsInSight()) found.add(one);
  }
  main.scrollTop = top;
  return [...found];
}

function findingsInSight() {
  /** Texts that are never shortened, unlike names. */
  const uncut =
    ".worth, .cell .value-state, .figure, .side, .cell .note, .age, .col, .status, .head-clock, .head:not(.troubled) h1, .label-name, dd";
  /** Names of others, which may be one long word. */
  const unbroken = ".topic, code, pre, .published, .gateway, .network-words, .project-list, .form-field, dd";
  /** Pixels of the arrow of a choice. */
  const ARROW = 16;
  const found = [];
  const boxes = [];
  const nameOf = (element) => {
    const { id } = element.closest("[data-id]")?.dataset ?? {};
    return `${id ?? ""} ${element.localName}.${element.getAttribute("class") ?? ""} "${(element.textContent ?? "").slice(0, 30)}"`;
  };
  /** The elements that clip an element, from the inside out; cached, because the texts of a page share most of them. */
  const clips = new Map();
  const clipsOf = (element) => {
    if (element === null) return [];
    const known = clips.get(element);
    if (known !== undefined) return known;
    const { overflowX, overflowY, overflowClipMargin, textOverflow } = getComputedStyle(element);
    const outer = clipsOf(element.parentElement);
    const isOpen = overflowX === "visible" && overflowY === "visible";
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const margin = overflowY === "visible" ? Number.POSITIVE_INFINITY : Number.parseFloat(overflowClipMargin) || 0;
    const clip = { left, right, top: top - margin, bottom: bottom + margin };
    const all = isOpen ? outer : [{ clip, overflowY, textOverflow }, ...outer];
    clips.set(element, all);
    return all;
  };
  const pen = document.createElement("canvas").getContext("2d");
  const write = (text, element) => {
    const { fontStyle, fontWeight, fontSize, fontFamily, textTransform, letterSpacing } = getComputedStyle(element);
    pen.font = `${fontStyle} ${fontWeight} ${fontSize} ${fontFamily}`;
    pen.letterSpacing = letterSpacing === "normal" ? "0px" : letterSpacing;
    return pen.measureText(textTransform === "uppercase" ? text.toUpperCase() : text);
  };
  /** What is free above and below the letters in the box of a text. */
  const inkOf = (text, element) => {
    const ink = write(text, element);
    return {
      above: ink.fontBoundingBoxAscent - ink.actualBoundingBoxAscent,
      below: ink.fontBoundingBoxDescent - ink.actualBoundingBoxDescent,
    };
  };
  /** Text for screen readers is clipped away. */
  const isSeen = (element) =>
    element.checkVisibility({ opacityProperty: false }) && getComputedStyle(element).clipPath !== "inset(50%)";
  const add = (element, { left, right, top, bottom }, isWhole) => {
    let box = { left, right, top, bottom };
    for (const { clip, overflowY, textOverflow } of clipsOf(element)) {
      const canPan = element.closest(".wide-table") !== null;
      const isCut = !canPan && (box.left < clip.left - 1 || box.right > clip.right + 1);
      const isLow = box.top < clip.top - 2 || box.bottom > clip.bottom + 2;
      const canScroll = /auto|scroll/.test(overflowY);
      if (
        isWhole &&
        ((isCut && (textOverflow !== "ellipsis" || element.closest(uncut) !== null)) || (isLow && !canScroll))
      ) {
        found.push(`cut off: ${nameOf(element)}`);
        return;
      }
      box = {
        left: Math.max(box.left, clip.left),
        right: Math.min(box.right, clip.right),
        top: Math.max(box.top, clip.top),
        bottom: Math.min(box.bottom, clip.bottom),
      };
    }
    if (box.right - box.left < 1 || box.bottom - box.top < 1) return;
    if (box.right > innerWidth + 1 || box.left < -1) found.push(`beside the screen: ${nameOf(element)}`);
    boxes.push({ element, ...box });
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (node.textContent.trim() === "" || parent.closest(".spoken, svg, option, script") !== null || !isSeen(parent))
      continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    // A line box is higher than its letters, and lines may touch; an accent of a capital is higher than the capital.
    const { above, below } = inkOf(node.textContent, parent);
    for (const rect of range.getClientRects())
      add(parent, new DOMRect(rect.left, rect.top + above, rect.width, rect.height - above - below), true);
    // A soft hyphen is where a word may break.
    if (parent.closest(unbroken) === null && !node.textContent.includes("\u00AD"))
      for (const { 0: word, index } of node.textContent.matchAll(/[^\s/\u00AD-]+/g)) {
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        if (
          new Set([...range.getClientRects()].filter(({ width }) => width > 1).map(({ top }) => Math.round(top))).size >
          1
        )
          found.push(`broken word: ${word} in ${nameOf(parent)}`);
      }
  }
  // The compass is one picture, with its caption in the middle.
  for (const element of document.querySelectorAll("svg, canvas, select, input, .vessel, .bar"))
    if (isSeen(element) && element.closest(".plot-box text") === null)
      add(element, element.getBoundingClientRect(), false);
  for (const input of document.querySelectorAll("input[placeholder]")) {
    const { paddingLeft, paddingRight } = getComputedStyle(input);
    const room = input.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
    if (input.value === "" && isSeen(input) && write(input.placeholder, input).width > room + 1)
      found.push(`cut off: ${nameOf(input)} ${input.placeholder}`);
  }
  for (const select of document.querySelectorAll("select")) {
    const { paddingLeft, paddingRight } = getComputedStyle(select);
    const room = select.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight) - ARROW;
    const chosen = select.selectedOptions[0]?.text ?? "";
    if (isSeen(select) && write(chosen, select).width > room + 1) found.push(`cut off: ${nameOf(select)} ${chosen}`);
  }
  const plotted = ".plot .target-name, .plot .calls > text";
  for (const text of document.querySelectorAll(plotted)) add(text, text.getBoundingClientRect(), false);
  const isPair = (a, b) => {
    const pictures = ".rose, .plot-box, .engine-face";
    const around = a.closest(pictures);
    if (around !== null && around === b.closest(pictures)) {
      const isName = (one) => one.matches(plotted);
      return isName(a) && isName(b);
    }
    return !a.contains(b) && !b.contains(a);
  };
  for (const [index, a] of boxes.entries()) {
    for (const b of boxes.slice(index + 1)) {
      const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const along = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      // The accent of a capital may touch the line above.
      const slack = [a, b].some(({ element }) => element.matches(".label-name")) ? 8 : 1;
      if (across > 1 && along > slack && isPair(a.element, b.element))
        found.push(`overlap: ${nameOf(a.element)} | ${nameOf(b.element)}`);
    }
  }
  const main = document.querySelector("main");
  if (main.scrollWidth > main.clientWidth + 1) found.push(`wider than the screen: ${main.scrollWidth}`);
  return found;
}

findings();
