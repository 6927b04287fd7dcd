package dev.ferry.jmeter;

import dev.ferry.core.ByteSize;
import dev.ferry.core.CallLimits;
import dev.ferry.core.Carrier;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.StorePath;
import dev.ferry.core.TransferOptions;
import dev.ferry.load.DiscardingSink;
import dev.ferry.load.OperationName;
import java.io.IOException;
import java.util.concurrent.ExecutionException;
import org.apache.jmeter.samplers.AbstractSampler;
import org.apache.jmeter.samplers.Entry;
import org.apache.jmeter.samplers.SampleResult;
import org.apache.jmeter.testbeans.TestBean;
import org.apache.jmeter.testelement.TestStateListener;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does one operation on a server of Ferry, over any carrier. All threads of an engine share one
 * connection to a server. The code of a failed sample is Ferry's {@link ErrorKind}; what was
 * received is compared by its digest, and by its size if one is given.
 */
public final class FerrySampler extends AbstractSampler implements TestBean, TestStateListener {
  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(FerrySampler.class);

  private String address = "";
  private String carrier = "";
  private String tokenFile = "";
  private String caFile = "";
  private String operation = "";
  private String path = "";
  private String size = "";
  private String chunkSize = "";

  @Override
  public SampleResult sample(@Nullable Entry entry) {
    FerrySample result = new FerrySample();
    result.setSampleLabel(getName());
    result.setSamplerData(operation + " " + address + " " + path);
    result.setDataType(SampleResult.BINARY);
    result.begin();
    try {
      run(result);
      result.end();
      result.setResponseOK();
    } catch (FerryException e) {
      fail(result, e.kind().name(), e.getMessage());
    } catch (IllegalArgumentException e) {
      fail(result, ErrorKind.INVALID_REQUEST.name(), e.getMessage());
    } catch (RuntimeException e) {
      LOG.warn("{}", getName(), e);
      fail(result, ErrorKind.INTERNAL.name(), e.toString());
    }
    return result;
  }

  private static void fail(FerrySample result, String code, @Nullable String message) {
    result.end();
    result.setSuccessful(false);
    result.setResponseCode(code);
    result.setResponseMessage(String.valueOf(message));
  }

  private void run(FerrySample result) throws FerryException {
    EngineResources engine = EngineResources.OF_ENGINE;
    Server server = new Server(address, carrier, tokenFile, caFile);
    switch (OperationName.parse(operation.strip())) {
      case GET -> get(engine.carrier(server), result);
      case PUT -> put(engine, server, result);
      case STAT -> {
        long stored = engine.carrier(server).stat(file(), null, CallLimits.DEFAULT).size();
        result.latencyEnd();
        requireSize(stored);
      }
      case LIST ->
          engine
              .carrier(server)
              .list(
                  StorePath.parseDirectory(path.strip()),
                  false,
                  entry -> {
                    latencyEnd(result);
                    return true;
                  },
                  CallLimits.DEFAULT);
      case CALL -> call(engine, server);
    }
  }

  private void get(Carrier client, FerrySample result) throws FerryException {
    long received =
        client
            .download(
                file(),
                facts -> {
                  latencyEnd(result);
                  return new DiscardingSink(facts);
                },
                options())
            .facts()
            .size();
    result.setBytes(received);
    requireSize(received);
  }

  /** The latency of JMeter ends with the first answer. */
  private static void latencyEnd(FerrySample result) {
    if (result.getLatency() == 0) {
      result.latencyEnd();
    }
  }

  private void put(EngineResources engine, Server server, FerrySample result)
      throws FerryException {
    if (size.isBlank()) {
      throw new IllegalArgumentException("size: is missing; give the bytes to upload, such as 1M");
    }
    long bytes = size();
    long stored =
        engine.carrier(server).upload(engine.file(bytes), file(), options()).facts().size();
    result.setSentBytes(bytes);
    requireSize(stored);
  }

  private static void call(EngineResources engine, Server server) throws FerryException {
    try {
      var unused = engine.caller(server).check().get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof FerryException cause) {
        throw cause;
      }
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      throw FerryException.interrupted("interrupted while the call ran", e);
    }
  }

  private StorePath file() throws FerryException {
    return StorePath.parse(path.strip());
  }

  private TransferOptions options() {
    return chunkSize.isBlank()
        ? TransferOptions.DEFAULT
        : TransferOptions.DEFAULT.withChunkSize(
            (int) Math.min(Integer.MAX_VALUE, bytes("chunkSize", chunkSize)));
  }

  private long size() {
    return bytes("size", size);
  }

  private static long bytes(String field, String text) {
    try {
      return ByteSize.parse(text.strip());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(field + ": " + e.getMessage(), e);
    }
  }

  private void requireSize(long actual) throws FerryException {
    if (!size.isBlank() && actual != size()) {
      throw new FerryException(
          ErrorKind.INCOMPLETE,
          "%s: has %d bytes, and not the %d of the sampler".formatted(path, actual, size()));
    }
  }

  @Override
  public void testStarted() {}

  @Override
  public void testStarted(String host) {}

  @Override
  public void testEnded() {
    try {
      EngineResources.OF_ENGINE.release();
    } catch (IOException e) {
      LOG.warn("A file of the test was not deleted", e);
    }
  }

  @Override
  public void testEnded(String host) {
    testEnded();
  }

  /** {@code ferry://HOST[:PORT]}, {@code ferrys://}, {@code http://} or {@code https://}. */
  public String getAddress() {
    return address;
  }

  public void setAddress(String value) {
    address = value;
  }

  /** {@code grpc}, {@code http}, {@code grpc-web} or {@code grpc-web-text}. */
  public String getCarrier() {
    return carrier;
  }

  public void setCarrier(String value) {
    carrier = value;
  }

  /** A file of the engine with the token. */
  public String getTokenFile() {
    return tokenFile;
  }

  public void setTokenFile(String value) {
    tokenFile = value;
  }

  /** A PEM file of the engine with the certificates to trust. */
  public String getCaFile() {
    return caFile;
  }

  public void setCaFile(String value) {
    caFile = value;
  }

  /** {@code get}, {@code put}, {@code stat}, {@code list} or {@code call}. */
  public String getOperation() {
    return operation;
  }

  public void setOperation(String value) {
    operation = value;
  }

  /** The path of a file on the server, or of a folder to list. */
  public String getPath() {
    return path;
  }

  public void setPath(String value) {
    path = value;
  }

  /** The bytes to upload, or those that the file must have. */
  public String getSize() {
    return size;
  }

  public void setSize(String value) {
    size = value;
  }

  /** The bytes of a chunk. */
  public String getChunkSize() {
    return chunkSize;
  }

  public void setChunkSize(String value) {
    chunkSize = value;
  }
}
