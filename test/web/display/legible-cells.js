/** The cells of the page as they are drawn, evaluated in the browser by legible.test.ts. */
function cells() {
  const pen = document.createElement("canvas").getContext("2d");
  return [...document.querySelectorAll("a.cell, .cell.readout")]
    .filter((cell) => cell.checkVisibility() && cell.querySelector(".number") !== null)
    .map((cell) => {
      const style = getComputedStyle(cell);
      const number = cell.querySelector(".number svg").getBoundingClientRect();
      const label = cell.querySelector(".label-name");
      const shown = label.getClientRects().length === 0 ? "" : label.textContent;
      const { fontWeight, fontSize, fontFamily } = getComputedStyle(label);
      pen.font = `${fontWeight} ${fontSize} ${fontFamily}`;
      const wide = Number(cell.querySelector(".figure").style.getPropertyValue("--wide"));
      return {
        id: cell.dataset.id,
        label: shown,
        height: cell.getBoundingClientRect().height,
        width: cell.clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight),
        digits: number.height,
        across: Math.max(number.width, number.height * wide),
        capitals: shown === "" ? 0 : pen.measureText("H").actualBoundingBoxAscent,
        labelAcross: label.getBoundingClientRect().width,
      };
    });
}

cells();
