# An image that has Orrery and nothing else:
#   docker build -t orrery .
#   docker run --rm --user "$(id -u):$(id -g)" --volume "$PWD:/work" orrery run experiment.yaml
# scripts/test-dockerfile carries out these steps without docker.
FROM debian:12-slim AS build
WORKDIR /orrery
COPY . /orrery
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates git && ./dev setup build
RUN cmake -S . -B /build -G Ninja -DCMAKE_BUILD_TYPE=Release -DORRERY_UNITY=ON -DORRERY_STATIC=ON -DORRERY_TESTS=OFF
RUN cmake --build /build && cmake --install /build --component program --strip --prefix /image/usr
RUN /image/usr/bin/orrery --version | grep "linked statically"
# Nothing else of the system is needed than the libraries that a program has which is linked statically: those of C and of exceptions.
RUN cp --parents $(ldd /image/usr/bin/orrery | grep -o '/[^ ]*') /image

FROM scratch
COPY --from=build /image /
WORKDIR /work
ENTRYPOINT ["/usr/bin/orrery"]
