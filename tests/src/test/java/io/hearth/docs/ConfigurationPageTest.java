// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.config.BalancerConfig;
import io.hearth.balancer.config.TableWeights;
import io.hearth.common.config.UnknownKeys;
import io.hearth.common.hadoop.ConfigurationSettings;
import io.hearth.healer.config.HealingSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class ConfigurationPageTest {

    private static final Path PAGE = Path.of("..", "docs", "configuration.md");

    @Test
    void thePageIsWhatTheSettingsSay() throws IOException {
        if (Boolean.getBoolean("hearth.docs.write")) {
            Files.writeString(PAGE, ConfigurationPage.text());
        }

        assertThat(Files.readString(PAGE))
                .as(
                        "docs/configuration.md is out of date; make it again with: mvn -pl tests -am test"
                                + " -Dtest=ConfigurationPageTest -Dsurefire.failIfNoSpecifiedTests=false -Dhearth.docs.write=true")
                .isEqualTo(ConfigurationPage.text());
    }

    /** A chain of names would have the reader look twice. */
    @Test
    void aRenamedKeyHasANameThatIsRead() {
        String page = ConfigurationPage.text();
        UnknownKeys.renamed().forEach((before, now) -> {
            assertThat(page).contains("| `" + now + "` |");
            assertThat(page).doesNotContain("`" + before + "`");
        });
    }

    @Test
    void theFileThatOperatorsCopyHasNothingThatCannotBeUsed() {
        Configuration site = new Configuration(false);
        site.addResource(new org.apache.hadoop.fs.Path(Path.of("..", "conf", "master", "hbase-site.xml")
                .toAbsolutePath()
                .toUri()));
        ConfigurationSettings settings = new ConfigurationSettings(site);

        assertThat(site.get("hbase.master.loadbalancer.class")).isEqualTo("io.hearth.balancer.HearthLoadBalancer");
        assertThat(site.get("hbase.coprocessor.master.classes"))
                .isEqualTo("io.hearth.healer.hbase.LocalityHealingObserver,io.hearth.admin.rpc.HearthAdminEndpoint");
        assertThat(BalancerConfig.read("conf/master/hbase-site.xml", settings, TableWeights::isSiteKey)
                        .problems())
                .isEmpty();
        assertThat(HealingSettings.read("conf/master/hbase-site.xml", settings).problems())
                .isEmpty();
    }
}
