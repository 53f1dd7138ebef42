export { sample, stringMatching } from 'fast-check'
