/**
 * The contract between the structures of the format and the engine that manages them. It lets
 * structures read and write their blocks without depending on how these are cached, journalled and
 * allocated.
 */
package org.hyperslab.format.metadata;
