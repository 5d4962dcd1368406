import { useDataContext } from '@h5web/app';
import { useEffect, useState } from 'react';

/** The longest dimension whose positions are fetched. */
const MOST_POSITIONS = 1_000_000;

/** The attributes of a dataset whose dimensions are in the file. */
const SCALES = ['DIMENSION_LIST', 'CLASS', '_Netcdf4Coordinates', '_Netcdf4Dimid'];

/** What a function returns; undefined if it fails. What React waits for is passed on. */
function attempt(action) {
  try {
    return action();
  } catch (failure) {
    if (typeof failure?.then === 'function') {
      throw failure;
    }
    return undefined;
  }
}

function text(value) {
  const single = Array.isArray(value) && value.length === 1 ? value[0] : value;
  return typeof single === 'string' ? single.trim() : '';
}

/** Returns a name with its units, from the conventions of CF. */
function label(name, attributes) {
  const long = text(attributes.long_name) || name;
  const units = text(attributes.units);
  return units && units !== '1' ? `${long} (${units})` : long;
}

function attributesOf(context, entity) {
  return entity.attributes.length > 0
    ? (attempt(() => context.attrValuesStore.get(entity)) ?? {})
    : {};
}

function isMonotonic(values) {
  const sign = Math.sign(Number(values[1]) - Number(values[0]));
  if (sign === 0) {
    return false;
  }
  for (let i = 1; i < values.length; i += 1) {
    if (!(Math.sign(Number(values[i]) - Number(values[i - 1])) === sign)) {
      return false;
    }
  }
  return true;
}

/** The positions that a scale gives a dimension; undefined if it has none, or they have no order. */
function positions(context, scale, length) {
  const { dims } = scale.shape;
  const isNumber = scale.type.class === 'Float' || scale.type.class === 'Integer';
  // The variable of an unlimited dimension may be longer than a dataset along it.
  if (!isNumber || dims?.length !== 1 || dims[0] < length || length < 2 || dims[0] > MOST_POSITIONS) {
    return undefined;
  }
  const values = attempt(() => context.valuesStore.get({ dataset: scale, selection: undefined }));
  const along = values?.length > length ? values.slice(0, length) : values;
  return along && isMonotonic(along) ? along : undefined;
}

/** The label and the positions of a dimension that the server has named. */
function axis(context, dimension, length, fallback) {
  const path = dimension?.dataset;
  const variable = path ? attempt(() => context.entitiesStore.get(path)) : undefined;
  if (variable?.kind !== 'dataset') {
    return { label: fallback || dimension?.name || undefined };
  }
  return {
    label: fallback || label(dimension.name, attributesOf(context, variable)),
    values: positions(context, variable, length),
  };
}

/** The dimensions of a dataset as netCDF-4 has them, once the server has named them. */
function useDimensions(dataset) {
  const { filepath } = useDataContext();
  const [found, setFound] = useState({});
  const says = dataset.attributes.some(({ name }) => SCALES.includes(name));
  const key = says ? new URLSearchParams({ file: filepath, path: dataset.path }).toString() : '';
  useEffect(() => {
    if (!key) {
      return undefined;
    }
    const ending = new AbortController();
    fetch(`/axes?${key}`, { signal: ending.signal })
      .then((reply) => reply.json())
      .then(({ axes }) => setFound({ key, axes }))
      .catch(() => {}); // the axes have no names then
    return () => ending.abort();
  }, [key]);
  return found.key === key ? (found.axes ?? []) : [];
}

/**
 * The title of a dataset, the label of its elements, and the labels and positions of its dimensions,
 * from the dimensions of netCDF-4 and the attributes long_name and units.
 */
export function useAxes(dataset) {
  const context = useDataContext();
  const dimensions = useDimensions(dataset);
  const attributes = attributesOf(context, dataset);
  const labels = attributes.DIMENSION_LABELS ?? [];
  const axes = dataset.shape.dims.map((length, i) => axis(context, dimensions[i], length, text(labels[i])));
  const title = label(dataset.name, attributes);
  return {
    title,
    valueLabel: text(attributes.units) || text(attributes.long_name) ? title : undefined,
    labels: axes.map((each) => each.label),
    values: axes.map((each) => each.values),
  };
}
