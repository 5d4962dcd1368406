/** What h5web's module imports: see h5web-changes.js. */
export { attributeText, cellWidth, exactAttributes, exactElements } from './numbers.js';
export { Reason } from './Reason.jsx';
export { HeatmapSlice, LineSlice, MatrixSlice } from './slices.jsx';
