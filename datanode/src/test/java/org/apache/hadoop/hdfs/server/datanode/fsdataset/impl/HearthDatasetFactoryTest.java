// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Whether Hearth's dataset is made at all: a DataNode with the factory's name in its site has to start on any Hadoop. */
class HearthDatasetFactoryTest {

    private static final class NotInThisHadoop {

        static {
            fail();
        }

        private static void fail() {
            throw new NoSuchMethodError("'void org.apache.hadoop.hdfs.A.b()'");
        }
    }

    @Test
    void whereOneOfItsClassesCanNotBeLinkedTheStockDatasetIsMade() {
        assertThat(HearthDatasetFactory.isLinked(() -> List.of(HearthDataset.class)))
                .isTrue();
        assertThat(HearthDatasetFactory.isLinked(() -> List.of(HearthDataset.class, NotInThisHadoop.class)))
                .isFalse();
        assertThat(HearthDatasetFactory.isLinked(() -> {
                    throw new NoClassDefFoundError("org/apache/hadoop/hdfs/A");
                }))
                .isFalse();
    }
}
