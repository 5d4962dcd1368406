/**
 * Object headers and the messages that describe an object. Each message is a record with its
 * decoder and encoder; the header holds, adds, moves and removes messages.
 */
package org.hyperslab.format.header;
