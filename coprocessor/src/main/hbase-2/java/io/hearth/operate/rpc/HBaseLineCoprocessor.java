package io.hearth.operate.rpc;

import com.google.protobuf.Service;
import java.util.List;
import org.apache.hadoop.hbase.coprocessor.MasterCoprocessor;

/** A master coprocessor that answers what an operator asks, on HBase 2. */
abstract class HBaseLineCoprocessor implements MasterCoprocessor, OperatorDesk {

    @Override
    public Iterable<Service> getServices() {
        return List.of(new HBaseLineService(this));
    }
}
