/**
 * Object headers and their messages, which describe an object, as records, each with its reader and
 * writer beside it, and the header that holds, adds, moves and removes them.
 */
package org.hyperslab.format.header;
