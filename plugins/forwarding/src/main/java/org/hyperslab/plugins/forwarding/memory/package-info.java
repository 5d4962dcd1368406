/** Memory for payloads that arrive, and a map for requests that wait for replies. */
package org.hyperslab.plugins.forwarding.memory;
