// The flags of pkg-config are what this module is for; CPeers includes the headers.
