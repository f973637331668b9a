package io.hearth.doctor.hbase;

import io.hearth.doctor.model.ProcessConfig;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;

/** The doctor's settings of a configuration of this process. Stateless. */
final class LocalConfigReader {

    private LocalConfigReader() {}

    static ProcessConfig of(Configuration conf) {
        Map<String, String> values = new TreeMap<>();
        for (Map.Entry<String, String> entry : conf) {
            String value = ProcessConfig.isRead(entry.getKey()) ? conf.get(entry.getKey()) : null;
            if (value != null) {
                values.put(entry.getKey(), value);
            }
        }
        return new ProcessConfig(values);
    }
}
