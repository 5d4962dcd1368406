package org.hyperslab.tools.listing;

/** The options of a listing, named as in {@code h5ls}. Confined to one thread at a time. */
final class ListingOptions {

  /** Lists groups below too, with full paths. */
  public boolean recursive;

  /** Shows full paths. */
  public boolean fullNames;

  /** Shows a group itself, not its members. */
  public boolean groupItself;

  /** Shows attributes, types and storage. */
  public boolean verbose;

  /** With {@link #verbose}: shows the addresses of raw data. */
  public boolean addresses;

  /** Shows the elements of datasets. */
  public boolean data;

  /** Shows elements as bytes in hexadecimal. */
  public boolean hexadecimal;

  /** Shows one-byte integers as characters. */
  public boolean characters;

  /** Shows members of compounds with their names. */
  public boolean labels;

  /** Prints text for programs: no native type names, one element in a line. */
  public boolean simple;

  /** Follows soft and external links. */
  public boolean followLinks;

  /** Follows external links. */
  public boolean followExternal;

  /** Prints the file's name before each name. */
  public boolean showFile;

  /** The width of lines of elements in columns; 0 for one element in a line. */
  public int width = 80;

  /** Makes the options of a plain listing. */
  public ListingOptions() {}
}
