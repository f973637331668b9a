/** Adapters of Hadoop's classes that the HMaster, the DataNode and the command line share. */
@NullMarked
package io.hearth.common.hadoop;

import org.jspecify.annotations.NullMarked;
