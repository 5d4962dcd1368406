import { useDataContext, ValueFetcher } from '@h5web/app';
import { useMemo } from 'react';

import { useAxes } from './axes.js';
import { LargeHeatmap } from './LargeHeatmap.jsx';
import { numbersOf, startNumbers } from './reduced.js';

/** The most elements of a drawing that are fetched as they are. */
const MOST_ELEMENTS = 2 ** 22;

/** The number of parts of a long line, each drawn by its least and greatest element. */
const PARTS = 2048;

function elements(dataset, dimMapping) {
  return dataset.shape.dims.reduce((all, dim, i) => (typeof dimMapping[i] === 'number' ? all : all * dim), 1);
}

function isReducible({ type }) {
  return type.class === 'Float' || type.class === 'Integer';
}

/** Draws elements that are fetched as they are, with the axes of dimension scales. */
function Whole({ dataset, selection, axes, Drawing, ...others }) {
  return (
    <ValueFetcher
      dataset={dataset}
      selection={selection}
      render={(value) => (
        <Drawing
          {...others}
          dataset={dataset}
          value={value}
          title={axes.title}
          valueLabel={axes.valueLabel}
          axisLabels={axes.labels}
          axisValues={axes.values}
        />
      )}
    />
  );
}

/** Draws a long line by the least and greatest element of each of its parts. */
function LongLine({ dataset, dimMapping, axes, Drawing, ignoreValue, ...others }) {
  const context = useDataContext();
  const axis = dimMapping.indexOf('x');
  const length = dataset.shape.dims[axis];
  const step = Math.ceil(length / PARTS);
  const selection = dimMapping.map((each) => (each === 'x' ? `0:${length}:${step}` : each)).join(',');
  const parameters = { path: dataset.path, selection };
  const entries = ['min', 'max'].map((reduce) => startNumbers(context, { ...parameters, reduce }));
  const [least, greatest] = entries.map(numbersOf);
  const positions = axes.values[axis];
  const [value, places] = useMemo(() => {
    const both = new Float64Array(2 * least.length);
    const at = new Float64Array(both.length);
    for (let i = 0; i < least.length; i += 1) {
      const middle = Math.min(length - 1, i * step + Math.floor(step / 2));
      both.set([least[i], greatest[i]], 2 * i);
      at.set(positions ? [Number(positions[i * step]), Number(positions[middle])] : [i * step, middle], 2 * i);
    }
    return [both, at];
  }, [least, greatest, positions, length, step]);
  const drawn = useMemo(
    () => ({
      ...dataset,
      shape: { ...dataset.shape, dims: [value.length] },
      type: { class: 'Float', size: 64 },
    }),
    [dataset, value],
  );
  return (
    <Drawing
      {...others}
      dataset={drawn}
      value={value}
      dimMapping={LINE}
      title={`${axes.title}: least and greatest of every ${step}`}
      valueLabel={axes.valueLabel}
      axisLabels={[axes.labels[axis]]}
      axisValues={[places]}
      ignoreValue={ignoreValue}
    />
  );
}

const LINE = ['x'];

/** A line of one dimension of a dataset. */
export function LineSlice(props) {
  const axes = useAxes(props.dataset);
  const isLong = elements(props.dataset, props.dimMapping) > MOST_ELEMENTS && isReducible(props.dataset);
  return isLong ? <LongLine {...props} axes={axes} /> : <Whole {...props} axes={axes} />;
}

/** A heat map of two dimensions of a dataset. */
export function HeatmapSlice({ Tools, ...props }) {
  const axes = useAxes(props.dataset);
  const isLarge = elements(props.dataset, props.dimMapping) > MOST_ELEMENTS && isReducible(props.dataset);
  return isLarge ? <LargeHeatmap {...props} axes={axes} Tools={Tools} /> : <Whole {...props} axes={axes} />;
}

/** The most rows and columns of a table of a slice that is too large. */
const MOST_CELLS = 1000;

/** The first cells of a slice that is too large for a table. */
function FirstCells({ dataset, dimMapping, Drawing, ...others }) {
  const dims = dataset.shape.dims.map((dim, i) => (typeof dimMapping[i] === 'number' ? dim : Math.min(dim, MOST_CELLS)));
  const selection = dimMapping.map((each, i) => (typeof each === 'number' ? each : `0:${dims[i]}`)).join(',');
  const drawn = { ...dataset, shape: { ...dataset.shape, dims } };
  return (
    <>
      <p className="page-note" role="status">
        {`The first ${MOST_CELLS} rows and columns: the slice has too many elements for a table.`}
      </p>
      <ValueFetcher
        dataset={dataset}
        selection={selection}
        render={(value) => <Drawing {...others} dataset={drawn} value={value} dimMapping={dimMapping} />}
      />
    </>
  );
}

/** A table of one or two dimensions of a dataset. */
export function MatrixSlice({ selection, Drawing, ...props }) {
  const { dataset } = props;
  return elements(dataset, props.dimMapping) > MOST_ELEMENTS ? (
    <FirstCells {...props} Drawing={Drawing} />
  ) : (
    <ValueFetcher
      dataset={dataset}
      selection={selection}
      render={(value) => <Drawing {...props} value={value} />}
    />
  );
}
