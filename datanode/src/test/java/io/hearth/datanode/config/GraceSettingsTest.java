package io.hearth.datanode.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.config.ConfigProblem;
import io.hearth.balancer.hbase.ConfigurationSettings;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class GraceSettingsTest {

    private final Configuration conf = new Configuration(false);

    private GraceSettings.Reading read() {
        return GraceSettings.read("hdfs-site.xml", new ConfigurationSettings(conf));
    }

    @Test
    void everyKeyHasADefault() {
        assertThat(read().config()).isEqualTo(new GraceConfig(true, 30_000, 10_737_418_240L, 2_000, 17_179_869_184L));
        assertThat(read().problems()).isEmpty();
    }

    @Test
    void everyKeyIsRead() {
        conf.set("hearth.datanode.grace.ms", "15000");
        conf.set("hearth.datanode.grace.min.free.bytes", "7");
        conf.set("hearth.datanode.grace.max.replicas", "8");
        conf.set("hearth.datanode.grace.max.bytes", "9");
        assertThat(read().config()).isEqualTo(new GraceConfig(true, 15_000, 7, 8, 9));

        conf.set("hearth.datanode.grace.enabled", "false");
        assertThat(read().config().graceMs()).isZero();
    }

    @Test
    void whatCannotBeUsedIsOneClearLine() {
        conf.set("hearth.datanode.grace.ms", "30 seconds");
        conf.set("hearth.datanode.grace.enabled", "maybe");
        conf.set("hearth.datanode.grace.mss", "7");

        assertThat(read().config()).isEqualTo(new GraceConfig(false, 30_000, 10_737_418_240L, 2_000, 17_179_869_184L));
        assertThat(read().problems())
                .extracting(ConfigProblem::message)
                .containsExactly(
                        "hearth.datanode.grace.enabled = 'maybe' in hdfs-site.xml can't be used: it must be true or"
                                + " false. false is used instead.",
                        "hearth.datanode.grace.ms = '30 seconds' in hdfs-site.xml can't be used: it must be a time from"
                                + " 0 to 3600000 ms (a number, or one like 30s or 10m). 30000 is used instead.",
                        "hearth.datanode.grace.mss in hdfs-site.xml is not a key of Hearth and has no effect. The"
                                + " nearest known key is hearth.datanode.grace.ms.");
    }
}
