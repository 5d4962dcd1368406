/**
 * HTTP/1.1 over Netty, whose types do not leave this package: requests and replies are values, a
 * guard decides which requests are answered, and a server carries replies out.
 */
package org.hyperslab.web.http;
