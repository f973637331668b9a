/** What an operator can set about a DataNode: every {@code hearth.datanode.} key, as one typed record. */
@NullMarked
package io.hearth.datanode.config;

import org.jspecify.annotations.NullMarked;
