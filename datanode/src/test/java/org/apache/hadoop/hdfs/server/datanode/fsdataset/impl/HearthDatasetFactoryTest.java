// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.HearthDatasetFactory.DatasetMaker;
import org.junit.jupiter.api.Test;

class HearthDatasetFactoryTest {

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
