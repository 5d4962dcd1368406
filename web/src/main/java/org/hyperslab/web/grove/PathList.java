package org.hyperslab.web.grove;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.hyperslab.Group;
import org.hyperslab.H5Object;
import org.hyperslab.Link;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.interchange.json.JsonOutput;
import org.hyperslab.model.LinkKind;
import org.hyperslab.model.ObjectToken;
import org.hyperslab.web.files.LinkResolution;

/** Lists the paths below a group, depth first; a group that contains itself is entered once. */
final class PathList {

  /** The depth below which groups are listed but not entered. */
  private static final int MAX_DEPTH = 200;

  private final JsonOutput out;
  private final LinkResolution resolution;

  /** The groups on the current path, by file and token. */
  private final Set<Place> way = new HashSet<>();

  private record Place(long file, ObjectToken token) {}

  PathList(JsonOutput out, LinkResolution resolution) {
    this.out = out;
    this.resolution = resolution;
  }

  void write(H5Object object, String path) {
    out.value(path);
    if (!(object instanceof Group group) || way.size() > MAX_DEPTH) {
      return;
    }
    Place place = new Place(group.info().fileNumber(), group.token());
    if (!way.add(place)) {
      return;
    }
    String prefix = path.equals("/") ? "/" : path + "/";
    group.links().forEach(link -> member(link, prefix + link.name()));
    way.remove(place);
  }

  private void member(Link link, String path) {
    Optional<H5Object> target = target(link);
    if (target.isEmpty()) {
      out.value(path);
      return;
    }
    try (H5Object object = target.get()) {
      write(object, path);
    }
  }

  private Optional<H5Object> target(Link link) {
    if (link.kind() == LinkKind.USER_DEFINED
        || (link.kind() != LinkKind.HARD && resolution == LinkResolution.NONE)) {
      return Optional.empty();
    }
    try {
      return Optional.of(link.open());
    } catch (HyperslabException leadsNowhere) {
      return Optional.empty();
    }
  }
}
