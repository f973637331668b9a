package io.hearth.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.config.BalancerSettings;
import io.hearth.balancer.config.MapSettings;
import io.hearth.balancer.config.Setting;
import io.hearth.datanode.config.GraceSettings;
import io.hearth.healing.config.HealingSettings;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.coprocessor.CoprocessorHost;
import org.apache.hadoop.hbase.regionserver.InputStreamBlockDistribution;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The files that operators copy hold nothing that nobody reads, and nothing that can't be used. */
class ConfFilesTest {

    /** Where HBase and HDFS keep the names of their keys. */
    private static final List<Class<?>> KEYS = List.of(
            HConstants.class,
            CoprocessorHost.class,
            InputStreamBlockDistribution.class,
            DFSConfigKeys.class,
            HdfsClientConfigKeys.class,
            HdfsClientConfigKeys.Read.class,
            HdfsClientConfigKeys.Read.ShortCircuit.class,
            HdfsClientConfigKeys.Retry.class);

    @ParameterizedTest
    @ValueSource(strings = {"hbase-site.xml", "hdfs-site.xml"})
    void everyKeyIsReadBySomeone(String file) throws IllegalAccessException {
        Set<String> known = new TreeSet<>(keyConstants());
        Stream.of(BalancerSettings.all(), HealingSettings.ALL, GraceSettings.ALL)
                .flatMap(Collection::stream)
                .map(Setting::key)
                .forEach(known::add);

        assertThat(site(file).keySet()).isNotEmpty().isSubsetOf(known);
    }

    @Test
    void theGraceOutlastsTheRefreshOfTheReaders() {
        GraceSettings.Reading grace = GraceSettings.read("conf/hdfs-site.xml", new MapSettings(site("hdfs-site.xml")));
        long refreshMs = Long.parseLong(site("hbase-site.xml").get("dfs.client.refresh.read-block-locations.ms"));

        assertThat(grace.problems()).isEmpty();
        assertThat((double) grace.config().graceMs()).isGreaterThan(2.1 * refreshMs);
    }

    private static Set<String> keyConstants() throws IllegalAccessException {
        Set<String> keys = new TreeSet<>();
        for (Class<?> type : KEYS) {
            for (Field field : type.getDeclaredFields()) {
                if (Modifier.isStatic(field.getModifiers())
                        && field.getType() == String.class
                        && field.trySetAccessible()) {
                    keys.add((String) field.get(null));
                }
            }
        }
        return keys;
    }

    private static Map<String, String> site(String file) {
        Configuration site = new Configuration(false);
        site.addResource(new org.apache.hadoop.fs.Path(
                Path.of("..", "conf", file).toAbsolutePath().toUri()));
        return site.getPropsWithPrefix("");
    }
}
