package org.hyperslab.tools;

/**
 * What a listing shows; the words are those of {@code h5ls}. Confined to one thread until handed
 * over.
 */
final class ListingOptions {

  /** Lists groups below too, with full paths. */
  public boolean recursive;

  /** Shows full paths. */
  public boolean fullNames;

  /** Shows a group itself, not its members. */
  public boolean groupItself;

  /** Shows attributes, types and storage. */
  public boolean verbose;

  /** Shows where raw data lies; with {@link #verbose}. */
  public boolean addresses;

  /** Shows elements. */
  public boolean data;

  /** Elements are shown as bytes in hexadecimal. */
  public boolean hexadecimal;

  /** One-byte integers are shown as characters. */
  public boolean characters;

  /** Members of compounds are shown with their names. */
  public boolean labels;

  /** Text for machines: no native type names, one element in a line. */
  public boolean simple;

  /** Follows soft and external links. */
  public boolean followLinks;

  /** Follows external links. */
  public boolean followExternal;

  /** Names are preceded by the file's name. */
  public boolean showFile;

  /** Columns of lines of elements; 0 for one element in a line. */
  public int width = 80;

  /** Makes the options of a plain listing. */
  public ListingOptions() {}
}
