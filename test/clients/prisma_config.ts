// doc/clients/javascript.md: import { defineConfig }
