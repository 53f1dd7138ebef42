import { describe, expect, test } from 'vitest'
import {
  entityNames,
  guessKeys,
  isTypeName,
  isUriKey,
  morphName,
  morphTable,
  pivotName,
  pivotTable,
  studly,
} from '../../../generator/blueprint/names/names.js'

describe('the names of an entity', () => {
  test.each([
    ['posts', 'Post', 'post', 'post', 'posts', 'posts'],
    ['companies', 'Company', 'company', 'company', 'companies', 'companies'],
    ['blog-posts', 'BlogPost', 'blogPost', 'blog post', 'blog posts', 'blog_posts'],
    ['blogPosts', 'BlogPost', 'blogPost', 'blog post', 'blog posts', 'blog_posts'],
    ['blog_post', 'BlogPost', 'blogPost', 'blog post', 'blog posts', 'blog_posts'],
    ['people', 'Person', 'person', 'person', 'people', 'people'],
    ['news', 'News', 'news', 'news', 'news', 'news'],
    ['series', 'Series', 'series', 'series', 'series', 'series'],
    ['data', 'Data', 'data', 'data', 'data', 'data'],
    ['statuses', 'Status', 'status', 'status', 'statuses', 'statuses'],
    ['status', 'Status', 'status', 'status', 'statuses', 'statuses'],
    ['cookies', 'Cookie', 'cookie', 'cookie', 'cookies', 'cookies'],
    ['default', 'Default', 'defaultEntity', 'default', 'defaults', 'defaults'],
    ['classes', 'Class', 'classEntity', 'class', 'classes', 'classes'],
    ['policies', 'PolicyEntity', 'policy', 'policy', 'policies', 'policies'],
    ['dates', 'DateEntity', 'date', 'date', 'dates', 'dates'],
    ['events', 'Event', 'event', 'event', 'events', 'events'],
  ])('%s', (key, name, variable, singular, plural, table) => {
    expect(entityNames(key)).toMatchObject({ name, variable, singular, plural, table })
  })

  test('follow a given name, except for the table', () => {
    expect(entityNames('folks', 'Person')).toEqual({
      name: 'Person',
      variable: 'person',
      singular: 'person',
      plural: 'folks',
      table: 'folks',
      stem: 'person',
    })
  })
})

test('tables between are called after both sides, or after the morph', () => {
  expect(pivotTable('user', 'company')).toBe('company_user')
  expect(pivotName('company_user')).toBe('CompanyUser')
  expect(morphName('tag')).toBe('taggable')
  expect(morphName('image')).toBe('imageable')
  expect(morphTable('taggable')).toBe('taggables')
  expect(pivotName('taggables')).toBe('Taggable')
})

test('a relation means the repository of its name, or of the plural', () => {
  expect(guessKeys('owner')).toEqual(['owner', 'owners'])
  expect(guessKeys('blogPost')).toEqual([
    'blogPost',
    'blog_posts',
    'blog-posts',
    'blog-post',
    'blogPosts',
  ])
  expect(guessKeys('person')).toContain('people')
})

test('a policy method has the name of its relation in PascalCase', () => {
  expect(['users', 'admin_users', 'adminUsers'].map(studly)).toEqual([
    'Users',
    'AdminUsers',
    'AdminUsers',
  ])
})

test.each([
  ['posts', true],
  ['blog-posts', true],
  ['v2_posts', true],
  ['constructor', true],
  ['__proto__', false],
  ['blog posts', false],
  ['-posts', false],
  ['posts/1', false],
  ['2fa', false],
  ['', false],
])('%s can be a URI key: %s', (key, expected) => {
  expect(isUriKey(key)).toBe(expected)
})

test.each([
  ['Post', true],
  ['Policy', false],
  ['post', false],
  ['Blog Post', false],
])('%s can be a type: %s', (name, expected) => {
  expect(isTypeName(name)).toBe(expected)
})
