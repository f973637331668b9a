/** Adapters to Hadoop's configuration, for the HMaster, the DataNode and the command line; the file watcher is for the latter two. */
@NullMarked
package io.hearth.common.hadoop;

import org.jspecify.annotations.NullMarked;
