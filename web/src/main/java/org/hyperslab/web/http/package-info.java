/** The HTTP server: Netty, whose types stay in this package. */
package org.hyperslab.web.http;
