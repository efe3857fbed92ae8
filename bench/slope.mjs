/** Slope of the least-squares line through `points` of [x, y]. */
export function slope(points) {
  const mean = (pick) => points.reduce((sum, point) => sum + pick(point), 0) / points.length;
  const [x, y] = [mean(([x]) => x), mean(([, y]) => y)];
  return mean((point) => (point[0] - x) * (point[1] - y)) / mean((point) => (point[0] - x) ** 2);
}
