/** The connector {@code forwarding}: every operation is carried out by a staging server. */
package org.hyperslab.plugins.forwarding.client;
