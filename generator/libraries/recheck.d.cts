export { checkSync } from 'recheck'
