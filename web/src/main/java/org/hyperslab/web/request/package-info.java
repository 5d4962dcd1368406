/** Requests and replies as values, and which requests are answered. */
package org.hyperslab.web.request;
