// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.hbase;

import io.hearth.doctor.model.HadoopKey;
import io.hearth.doctor.model.ProcessConfig;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;

/** The doctor's settings of a configuration of this process, and of the file on its class path as it is now. Stateless. */
final class LocalConfigReader {

    private static final String FILE = "hbase-site.xml";
    private static final int MAX_BYTES = 8 << 20;

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

    /**
     * The same of an HMaster, with its coprocessors as the file on its class path lists them now. In memory the list may be an old one: HBase reads it only
     * when an HMaster starts, and the file may have been changed since.
     *
     * @throws IOException if there is such a file and it can't be read, or is too long to be one
     */
    static ProcessConfig ofMaster(Configuration conf) throws IOException {
        URL file = conf.getResource(FILE);
        if (file == null || !file.getProtocol().equals("file")) {
            return of(conf);
        }
        byte[] bytes;
        try (InputStream in = file.openStream()) {
            bytes = in.readNBytes(MAX_BYTES + 1);
        }
        if (bytes.length > MAX_BYTES) {
            throw new IOException(FILE + " has more than " + MAX_BYTES + " bytes");
        }
        Configuration written = new Configuration(false);
        written.addResource(new ByteArrayInputStream(bytes), file.toString());
        try {
            String key = HadoopKey.MASTER_COPROCESSORS.key();
            return of(conf).with(key, BoundedJsonReader.printable(written.get(key, "")));
        } catch (RuntimeException noConfiguration) {
            throw new IOException(FILE + " can't be read: " + noConfiguration.getMessage(), noConfiguration);
        }
    }
}
