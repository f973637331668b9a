// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.HearthDatasetFactory.DatasetMaker;
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

    private final IOException madeByHearth = new IOException("of Hearth's dataset");
    private final IOException madeByStock = new IOException("of the stock dataset");
    private final DatasetMaker stock = () -> {
        throw madeByStock;
    };

    @Test
    void aHadoopWhoseDatasetCannotBeExtendedGetsTheStockOne() {
        assertThatThrownBy(() -> HearthDatasetFactory.firstThatFits(
                        () -> {
                            throw new NoSuchMethodError("FsDatasetImpl.<init>");
                        },
                        stock))
                .isSameAs(madeByStock);
    }

    @Test
    void whereOneOfItsClassesCanNotBeLinkedTheStockDatasetIsMade() {
        assertThatCode(() -> HearthDatasetFactory.link(List.of(HearthDataset.class)))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> HearthDatasetFactory.firstThatFits(
                        () -> {
                            HearthDatasetFactory.link(List.of(HearthDataset.class, NotInThisHadoop.class));
                            throw madeByHearth;
                        },
                        stock))
                .isSameAs(madeByStock);
    }

    /** A disk that can't be read keeps a stock DataNode from starting too. */
    @Test
    void whatTheDatasetItselfFailsWithIsNotHidden() {
        assertThatThrownBy(() -> HearthDatasetFactory.firstThatFits(
                        () -> {
                            throw madeByHearth;
                        },
                        stock))
                .isSameAs(madeByHearth);
    }
}
