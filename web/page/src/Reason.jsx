import { useDataContext } from '@h5web/app';
import { useEffect, useState } from 'react';

function counted(count, what) {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

/** Why an entity has nothing to display; undefined if only the server knows. */
function ownReason(entity) {
  const attributes = entity.attributes.length;
  const inspect = attributes > 0 ? ` Its ${counted(attributes, 'attribute')}: Inspect, above.` : '';
  switch (entity.kind) {
    case 'group':
      return entity.children.length > 0
        ? `This is a group of ${counted(entity.children.length, 'member')}: choose one in the tree.${inspect}`
        : `This group has no members${attributes > 0 ? `, only attributes.${inspect}` : ' and no attributes.'}`;
    case 'datatype':
      return `This is a committed datatype, which has no elements: Inspect shows the type.${inspect}`;
    case 'dataset':
      return entity.shape.class === 'Null'
        ? `This dataset has a null dataspace: it never has elements.${inspect}`
        : `There is no drawing for elements of the type ${entity.type.class}.${inspect}`;
    default:
      return undefined;
  }
}

function linkReason(entity) {
  const { link } = entity;
  if (!link) {
    return 'This object cannot be opened';
  }
  return link.file
    ? `This is an external link to ${link.path} in the file ${link.file}, which cannot be followed`
    : `This is a soft link to ${link.path}, which cannot be followed`;
}

/** The reason why nothing is displayed at a path. */
export function Reason({ path }) {
  const { entitiesStore, filepath } = useDataContext();
  const entity = entitiesStore.get(path);
  const known = ownReason(entity);
  const [said, setSaid] = useState('');
  useEffect(() => {
    if (known !== undefined) {
      return undefined;
    }
    const ending = new AbortController();
    const query = new URLSearchParams({ file: filepath, path, resolve_links: 'all' });
    fetch(`/meta?${query}`, { signal: ending.signal })
      .then((reply) => reply.json())
      .then(({ message }) => setSaid(message ?? ''))
      .catch(() => {}); // the link itself is shown
    return () => ending.abort();
  }, [known, filepath, path]);
  return (
    <p className="page-reason" role="status">
      {known ?? `${linkReason(entity)}${said ? `: ${said}` : '.'}`}
    </p>
  );
}
