package org.hyperslab.plugins.configured;

import java.util.List;
import org.hyperslab.plugins.configured.rule.FileRule;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.Handle;

/**
 * An open file for which rules hold.
 *
 * @param handle its handle
 * @param connector the connector that carries out its operations
 * @param rules the rules, in their order
 */
record ConfiguredFile(Handle handle, Connector connector, List<FileRule> rules) {
  ConfiguredFile {
    rules = List.copyOf(rules);
  }
}
