package org.hyperslab.convert;

import org.hyperslab.convert.options.FileKind;

/**
 * The formats of a conversion's input and output.
 *
 * @param from the format of the input
 * @param to the format of the output
 */
record ConversionKinds(FileKind from, FileKind to) {}
