/** Numbers that JSON does not hold: the server sends them as texts if it is asked for exact numbers. */

/** An element of a type, from its JSON; depth counts the arrays around it. */
function exact(type, value, depth = 0) {
  if (value === null || value === undefined) {
    return value;
  }
  if (depth > 0) {
    return Array.isArray(value) ? value.map((each) => exact(type, each, depth - 1)) : value;
  }
  switch (type.class) {
    case 'Float':
      return typeof value === 'string' ? Number(value) : value;
    case 'Integer':
      return typeof value === 'string' ? BigInt(value) : value;
    case 'Complex':
      return Array.isArray(value) ? value.map(Number) : value;
    case 'Compound':
      return [...type.fields.values()].map((field, i) => exact(field, value[i]));
    case 'Array':
      return exact(type.base, value, type.dims?.length ?? 1);
    case 'Array (variable length)':
      return exact(type.base, value, 1);
    default:
      return value;
  }
}

/** The values of attributes, from their JSON. */
export function exactAttributes(attributes, values) {
  for (const { name, type, shape } of attributes) {
    if (name in values) {
      values[name] = exact(type, values[name], shape?.dims?.length ?? 0);
    }
  }
  return values;
}

/** The elements of a dataset or of a slice, from their flat JSON. */
export function exactElements(dataset, selection, value) {
  const single = dataset.shape.dims.length === 0 || /^\d+(,\d+)*$/u.test(selection ?? '');
  return exact(dataset.type, value, single ? 0 : 1);
}

/** The text of an attribute's value. */
export function attributeText(value) {
  if (typeof value === 'number' || typeof value === 'bigint') {
    return String(value);
  }
  return Array.isArray(value)
    ? `[${value.map(attributeText).join(', ')}]`
    : (JSON.stringify(value) ?? '');
}

/** The width of a cell in pixels that holds every number of a type. */
export function cellWidth(type, notation) {
  if (type.class === 'Integer' && type.size === 64) {
    return 240; // 20 characters
  }
  return type.class === 'Float' && type.size > 32 && notation === 'exact' ? 240 : 120;
}
