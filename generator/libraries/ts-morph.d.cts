export * from 'ts-morph'
