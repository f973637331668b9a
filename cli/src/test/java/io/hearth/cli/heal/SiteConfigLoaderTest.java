// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli.heal;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

/** Names that this machine does not know are said at once, and not by a timeout of ZooKeeper's client. */
class SiteConfigLoaderTest {

    private static Configuration quorum(String hosts) {
        Configuration site = new Configuration(false);
        site.set("hbase.zookeeper.quorum", hosts);
        return site;
    }

    @Test
    void whereNoHostOfTheQuorumHasAnAddressThatIsSaid() {
        assertThatThrownBy(() -> SiteConfigLoader.checkZooKeeperHosts(quorum("zk1.invalid:2181, zk2.invalid")))
                .isInstanceOf(IOException.class)
                .hasMessage(
                        "no address is known for the host zk1.invalid, zk2.invalid, of hbase.zookeeper.quorum. Ask from a"
                                + " machine that resolves the cluster's names, or add them to /etc/hosts");
    }

    @Test
    void oneThatHasAnAddressIsEnough() {
        assertThatCode(() -> SiteConfigLoader.checkZooKeeperHosts(quorum("zk1.invalid,127.0.0.1:2181")))
                .doesNotThrowAnyException();
        assertThatCode(() -> SiteConfigLoader.checkZooKeeperHosts(new Configuration(false)))
                .doesNotThrowAnyException();
    }
}
