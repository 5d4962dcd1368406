package org.hyperslab.plugins.jhdf;

import io.jhdf.api.Attribute;
import io.jhdf.api.Dataset;
import io.jhdf.api.Group;
import io.jhdf.api.Link;
import io.jhdf.api.Node;
import io.jhdf.api.NodeType;
import io.jhdf.links.ExternalLink;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.CharacterSet;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.model.AttributeInfo;
import org.hyperslab.model.DatasetInfo;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.GroupInfo;
import org.hyperslab.model.GroupOptions;
import org.hyperslab.model.LinkData;
import org.hyperslab.model.LinkInfo;
import org.hyperslab.model.LinkKind;
import org.hyperslab.model.ObjectInfo;
import org.hyperslab.model.ObjectKind;
import org.hyperslab.model.ObjectToken;

/** Converts the properties that jHDF has read to values of the model. */
final class JhdfDescriptions {

  private JhdfDescriptions() {}

  static ObjectKind kind(Node node) {
    NodeType type = node.getType();
    return switch (type) {
      case GROUP, FILE -> ObjectKind.GROUP;
      case DATASET -> ObjectKind.DATASET;
      case COMMITTED_DATATYPE -> ObjectKind.COMMITTED_TYPE;
      default ->
          throw new UnsupportedFeatureException(
              "jHDF object: actual=" + type + ", expected=group, dataset or committed datatype");
    };
  }

  static ObjectInfo object(Node node, long fileNumber) {
    return new ObjectInfo(
        kind(node),
        new ObjectToken(node.getAddress()),
        fileNumber,
        1,
        node.getAttributes().size(),
        Optional.empty(),
        Optional.empty(),
        false,
        ObjectInfo.HeaderInfo.NONE);
  }

  static GroupInfo group(Node node) {
    if (!(node instanceof Group group)) {
      throw new InvalidUseException("object: actual=" + kind(node) + ", expected=GROUP");
    }
    return new GroupInfo(
        group.getChildren().size(), 0, GroupInfo.Storage.UNKNOWN, false, GroupOptions.DEFAULT);
  }

  static LinkInfo link(Node node) {
    CharacterSet charset =
        node.getName().chars().allMatch(c -> c < 128) ? CharacterSet.ASCII : CharacterSet.UTF8;
    if (!(node instanceof Link link)) {
      return new LinkInfo(
          node.getName(),
          LinkKind.HARD,
          charset,
          OptionalLong.empty(),
          new ObjectToken(node.getAddress()),
          null,
          null,
          0,
          LinkData.NONE);
    }
    // jHDF gives an external link's file and path as one text, "file:path".
    String target = link.getTargetPath();
    int colon = target.lastIndexOf(':');
    boolean external = link instanceof ExternalLink && colon >= 0;
    return new LinkInfo(
        node.getName(),
        external ? LinkKind.EXTERNAL : LinkKind.SOFT,
        charset,
        OptionalLong.empty(),
        null,
        external ? target.substring(0, colon) : null,
        external ? target.substring(colon + 1) : target,
        0,
        LinkData.NONE);
  }

  static DatasetInfo dataset(Node node) {
    Dataset dataset = requireDataset(node);
    return new DatasetInfo(
        JhdfTypes.of(dataset.getDataType()),
        Optional.empty(),
        space(dataset),
        DatasetOptions.DEFAULT,
        new DatasetInfo.StorageInfo(dataset.getStorageInBytes(), -1, "", 0, 0));
  }

  static Dataset requireDataset(Node node) {
    if (node instanceof Dataset dataset) {
      return dataset;
    }
    throw new InvalidUseException("object: actual=" + kind(node) + ", expected=DATASET");
  }

  /**
   * Returns whether a dataset has a null dataspace. {@code isEmpty} of jHDF does not say so: it
   * also holds for datasets without storage.
   */
  static boolean hasNullSpace(Dataset dataset) {
    return dataset.getDimensions().length == 0 && dataset.getSize() == 0;
  }

  private static Dataspace space(Dataset dataset) {
    if (dataset.getDimensions().length == 0) {
      return hasNullSpace(dataset) ? Dataspace.nullSpace() : Dataspace.scalar();
    }
    long[] maximum = dataset.getMaxSize().clone();
    long[] dims = dataset.getDimensionsAsLong();
    for (int d = 0; d < maximum.length; d++) {
      maximum[d] = maximum[d] < 0 ? Dataspace.UNLIMITED : maximum[d];
    }
    return Dataspace.simple(dims, maximum.length == dims.length ? maximum : dims.clone());
  }

  static AttributeInfo attribute(Attribute attribute) {
    Datatype type = JhdfTypes.of(attribute.getDataType());
    Dataspace space =
        attribute.isEmpty() && attribute.getDimensions().length == 0
            ? Dataspace.nullSpace()
            : attribute.isScalar()
                ? Dataspace.scalar()
                : Dataspace.simple(
                    Arrays.stream(attribute.getDimensions()).asLongStream().toArray());
    return new AttributeInfo(
        attribute.getName(),
        CharacterSet.UTF8,
        type,
        Optional.empty(),
        space,
        OptionalLong.empty(),
        attribute.getSizeInBytes());
  }
}
