package org.hyperslab.convert;

import java.util.List;

/**
 * The report of a conversion.
 *
 * @param from the input's kind
 * @param to the output's kind
 * @param variables how many variables the input has
 * @param bytes bytes of their elements
 * @param losses what was left out because the output cannot hold it: a path and a reason each
 */
public record ConversionReport(
    FileKind from, FileKind to, long variables, long bytes, List<String> losses) {

  /** Copies the list. */
  public ConversionReport {
    losses = List.copyOf(losses);
  }
}
