import { useDataContext } from '@h5web/app';

/** The longest dimension whose positions are fetched. */
const MOST_POSITIONS = 1_000_000;

/** What netCDF writes into scales that have no elements of their own. */
const WITHOUT_VARIABLE = 'This is a netCDF dimension but not a netCDF variable';

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
  if (!isNumber || dims?.length !== 1 || dims[0] !== length || length < 2 || length > MOST_POSITIONS) {
    return undefined;
  }
  const values = attempt(() => context.valuesStore.get({ dataset: scale, selection: undefined }));
  return values && isMonotonic(values) ? values : undefined;
}

function axis(context, paths, length, fallback) {
  const path = Array.isArray(paths) ? paths.at(-1) : undefined;
  const scale = typeof path === 'string' && path.startsWith('/')
    ? attempt(() => context.entitiesStore.get(path))
    : undefined;
  if (scale?.kind !== 'dataset') {
    return { label: fallback || undefined };
  }
  const attributes = attributesOf(context, scale);
  if (text(attributes.NAME).startsWith(WITHOUT_VARIABLE)) {
    return { label: fallback || scale.name };
  }
  return { label: fallback || label(scale.name, attributes), values: positions(context, scale, length) };
}

/**
 * The title of a dataset, the label of its elements, and the labels and positions of its dimensions,
 * from dimension scales and the attributes long_name and units.
 */
export function useAxes(dataset) {
  const context = useDataContext();
  const attributes = attributesOf(context, dataset);
  const lists = attributes.DIMENSION_LIST ?? [];
  const labels = attributes.DIMENSION_LABELS ?? [];
  const axes = dataset.shape.dims.map((length, i) => axis(context, lists[i], length, text(labels[i])));
  const title = label(dataset.name, attributes);
  return {
    title,
    valueLabel: text(attributes.units) || text(attributes.long_name) ? title : undefined,
    labels: axes.map((each) => each.label),
    values: axes.map((each) => each.values),
  };
}
