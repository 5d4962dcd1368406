package org.hyperslab.convert.options;

import java.util.List;

/**
 * The report of a conversion.
 *
 * @param from the input's format
 * @param to the output's format
 * @param variables the number of variables in the input
 * @param bytes the size of their elements in bytes
 * @param losses the content that was left out because the output cannot hold it, as one line with a
 *     path and a reason for each
 * @param notes the choices that were made where the input could be read in another way, as one line
 *     with the option for the other way for each
 */
public record ConversionReport(
    FileKind from,
    FileKind to,
    long variables,
    long bytes,
    List<String> losses,
    List<String> notes) {

  /** Copies the lists. */
  public ConversionReport {
    losses = List.copyOf(losses);
    notes = List.copyOf(notes);
  }
}
