/** What a cluster of processes is made of: hosts, addresses, racks, processes, configuration files and the commands that join its network. */
@NullMarked
package io.hearth.testkit.process.layout;

import org.jspecify.annotations.NullMarked;
