import { useDataContext } from '@h5web/app';
import {
  ColorBar,
  DefaultInteractions,
  getLayerSizes,
  HeatmapMesh,
  ResetZoomButton,
  TiledHeatmapMesh,
  TiledTooltipMesh,
  TilesApi,
  useDomain,
  useSafeDomain,
  useVisDomain,
  VisCanvas,
} from '@h5web/lib';
import ndarray from 'ndarray';
import { useEffect, useMemo, useState } from 'react';
import { createPortal } from 'react-dom';

import { numbersOf, startNumbers } from './reduced.js';

const TILE = { width: 512, height: 512 };

/** The most elements whose means are taken; of more, every n-th is drawn. */
const MOST_FOR_MEANS = 2 ** 30;

const UNKNOWN_DOMAIN = [0.1, 1];

/** The tiles of a slice: of each layer, tiles of means of ever smaller blocks of elements. */
class SliceTiles extends TilesApi {
  constructor(context, dataset, dimMapping, means, isIgnored) {
    const { dims } = dataset.shape;
    const size = { width: dims[dimMapping.indexOf('x')], height: dims[dimMapping.indexOf('y')] };
    super(TILE, getLayerSizes(size, TILE));
    Object.assign(this, { context, dataset, dimMapping, means, isIgnored });
    this.onProblem = () => {};
    this.arrays = new WeakMap();
  }

  step(layer) {
    return 2 ** (this.numLayers - 1 - layer);
  }

  /** The numbers of a layer from a place on, as rows from the bottom. */
  array(layer, x, y, width, height, means) {
    const step = this.step(layer);
    const { width: columns, height: rows } = this.baseLayerSize;
    const range = (from, count, end) => `${from * step}:${Math.min(end, (from + count) * step)}:${step}`;
    const selection = this.dimMapping
      .map((each) => (each === 'x' ? range(x, width, columns) : each === 'y' ? range(y, height, rows) : each))
      .join(',');
    const entry = startNumbers(this.context, {
      path: this.dataset.path,
      selection,
      reduce: step > 1 && means ? 'mean' : 'first',
      ...(means?.missing !== undefined && { missing: means.missing }),
    });
    const numbers = numbersOf(entry);
    let array = this.arrays.get(numbers);
    if (!array) {
      array = ndarray(this.texture(numbers, width, height), [height, width]);
      this.arrays.set(numbers, array);
    }
    return array;
  }

  /** Numbers for the graphics: rows of x, and NaN for what is ignored. */
  texture(numbers, width, height) {
    const isTurned = this.dimMapping.indexOf('x') < this.dimMapping.indexOf('y');
    const made = new Float32Array(width * height);
    for (let row = 0; row < height; row += 1) {
      for (let column = 0; column < width; column += 1) {
        const value = numbers[isTurned ? column * height + row : row * width + column];
        made[row * width + column] = this.isIgnored?.(value) ? Number.NaN : value;
      }
    }
    return made;
  }

  /** The coarsest layer, of single elements, which are soon there. */
  overview() {
    const { width, height } = this.layerSizes[0];
    return this.array(0, 0, 0, width, height, undefined);
  }

  get(layer, { x, y }) {
    const size = this.layerSizes[layer];
    const width = Math.min(TILE.width, size.width - x);
    const height = Math.min(TILE.height, size.height - y);
    try {
      return this.array(layer, x, y, width, height, this.means);
    } catch (failure) {
      if (typeof failure?.then === 'function') {
        throw failure;
      }
      this.onProblem(failure.message);
      return ndarray(new Float32Array(width * height).fill(Number.NaN), [height, width]);
    }
  }
}

/** How means are taken; undefined if every n-th element is drawn. */
function useMeans(dataset, dimMapping, ignoreValue) {
  const { attrValuesStore } = useDataContext();
  const count = dataset.shape.dims.reduce((all, dim, i) => (typeof dimMapping[i] === 'number' ? all : all * dim), 1);
  const fill = dataset.attributes.some(({ name }) => name === '_FillValue')
    ? [attrValuesStore.get(dataset)._FillValue].flat()[0]
    : undefined;
  return useMemo(() => {
    const isRanged = dataset.attributes.some(({ name }) => /^valid_(min|max|range)$/u.test(name));
    return count > MOST_FOR_MEANS || (ignoreValue && (fill === undefined || isRanged))
      ? undefined
      : { missing: fill === undefined ? undefined : String(fill) };
  }, [dataset, count, ignoreValue, fill]);
}

function isEven(values) {
  const step = (Number(values.at(-1)) - Number(values[0])) / (values.length - 1);
  return values.every((value, i) => Math.abs(Number(values[0]) + i * step - Number(value)) < Math.abs(step) / 4);
}

/** The part of an axis that a dimension takes: by its positions if they are even, or by indices. */
function useAxis(label, values, length, showGrid, flip) {
  return useMemo(() => {
    const even = values && isEven(values);
    const half = even ? (Number(values[length - 1]) - Number(values[0])) / (length - 1) / 2 : 0;
    return {
      visDomain: even ? [Number(values[0]) - half, Number(values[length - 1]) + half] : [0, length],
      isIndexAxis: !even,
      showGrid,
      label,
      flip,
    };
  }, [label, values, length, showGrid, flip]);
}

function formatted(value) {
  return Number.isInteger(value) ? String(value) : value.toPrecision(5);
}

/** A heat map of a slice that is too large to be fetched: tiles of what is visible, reduced to it. */
export function LargeHeatmap({ dataset, dimMapping, toolbarContainer, config, ignoreValue, axes, Tools }) {
  const context = useDataContext();
  const means = useMeans(dataset, dimMapping, ignoreValue);
  const api = useMemo(
    () => new SliceTiles(context, dataset, dimMapping, means, ignoreValue),
    [context.valuesStore, dataset, dimMapping, means, ignoreValue], // eslint-disable-line
  );
  const [problem, setProblem] = useState();
  useEffect(() => {
    setProblem(undefined);
    api.onProblem = (message) => queueMicrotask(() => setProblem(message));
  }, [api]);
  const overview = api.overview();
  const { customDomain, colorMap, scaleType, keepRatio, showGrid, invertColorMap, flipXAxis, flipYAxis } = config;
  const dataDomain = useDomain(overview, { scaleType, ignoreValue }) ?? UNKNOWN_DOMAIN;
  const [domain] = useSafeDomain(useVisDomain(customDomain, dataDomain), dataDomain, scaleType);
  const colors = { domain, scaleType, colorMap, invertColorMap };
  const [x, y] = ['x', 'y'].map((each) => dimMapping.indexOf(each));
  const { width, height } = api.baseLayerSize;
  const title = means ? `${axes.title} (means when zoomed out)` : `${axes.title} (sampled when zoomed out)`;
  return (
    <>
      {toolbarContainer
        && createPortal(<Tools dataDomain={dataDomain} isSlice config={config} exportEntries={[]} />, toolbarContainer)}
      <figure className="page-large" aria-label={title} data-keep-canvas-colors>
        {problem && <p className="page-problem" role="alert">{problem}</p>}
        <VisCanvas
          title={title}
          aspect={keepRatio ? 'equal' : 'auto'}
          abscissaConfig={useAxis(axes.labels[x], axes.values[x], width, showGrid, flipXAxis)}
          ordinateConfig={useAxis(axes.labels[y], axes.values[y], height, showGrid, flipYAxis)}
        >
          <DefaultInteractions />
          <ResetZoomButton />
          <TiledTooltipMesh
            renderTooltip={(abscissa, ordinate, value) => (
              <>
                {`${axes.labels[x] ?? 'x'}=${formatted(abscissa)}, ${axes.labels[y] ?? 'y'}=${formatted(ordinate)}`}
                <div>
                  <strong>{formatted(value)}</strong>
                </div>
              </>
            )}
          />
          <group scale={[flipXAxis ? -1 : 1, flipYAxis ? -1 : 1, 1]}>
            <group position={[0, 0, -1]}>
              <HeatmapMesh values={overview} {...colors} />
            </group>
            <TiledHeatmapMesh api={api} displayLowerResolutions={false} {...colors} />
          </group>
        </VisCanvas>
        <ColorBar {...colors} withBounds />
      </figure>
    </>
  );
}
